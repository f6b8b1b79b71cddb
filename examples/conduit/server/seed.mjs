/** @import { Database } from './Database.mjs' */

const people = [
  ['ada', 'Keeps a shed of half-mended instruments.'],
  ['ben', 'Walks the same ten miles of coast in every weather.'],
  ['cleo', 'Cooks what the others bring home.'],
];

/** @type {readonly [title: string, tags: string, author: number][]} */
const texts = [
  ['How to read a tide table', 'coast tools', 1],
  ['The kettle as a barometer', 'tools weather', 0],
  ['Bread for a long crossing', 'cooking', 2],
  ['A map of every bench', 'coast maps', 1],
  ['Three knots worth knowing', 'tools', 0],
  ['Samphire, and where not to pick it', 'coast cooking', 2],
  ['Fog, from inside', 'weather coast', 1],
  ['Repairing a compass card', 'tools maps', 0],
  ['Soup that forgives', 'cooking', 2],
  ['The lighthouse keeper’s log', 'coast', 1],
  ['Drawing contour lines by hand', 'maps', 0],
  ['What the harbour smells of', 'cooking coast', 2],
  ['Wind without an anemometer', 'weather tools', 0],
  ['The slowest ferry', 'coast', 1],
];

const sentences = [
  'It begins with patience, and with a pencil that has been sharpened more often than it has been used.',
  'Nobody taught me this; I did it wrong for eleven years, and then I did it right by accident.',
  'The first rule is to leave the window open, and the second is to know when to close it.',
  'If you take one thing from this page, let it be the habit of writing down the time.',
];

/**
 * People who can sign in with the password `password`, and what they have written.
 *
 * @param {Database} database
 */
export function seed(database) {
  const authors = people.map(([username = '', bio = '']) => {
    const user = database.addUser({ username, email: `${username}@example.com`, password: 'password' });
    user.bio = bio;
    return user;
  });
  const start = Date.UTC(2026, 0, 5, 8);
  texts.forEach(([title, tags, author], index) => {
    database.addArticle(
      {
        title,
        description: sentences[(index + 1) % sentences.length] ?? '',
        body: [0, 1, 2].map((step) => sentences[(index + step) % sentences.length]).join('\n\n'),
        tagList: tags.split(' '),
      },
      authors[author]?.id ?? 0,
      new Date(start + index * 31 * 3_600_000).toISOString(),
    );
  });
}

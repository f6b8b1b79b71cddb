/** The entities that most tests use. A test that needs a special one declares it and names it for what is special. */
import { Entity } from 'holdfast';

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

export class Author extends Entity {
  id = '';
  name = '';
  static override key = 'Author';
}

export class Article extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
}

/** In a list of articles. It shares the table with classes that have more fields. */
export class Summary extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
}

export class ArticleWithNumericId extends Entity {
  id = 0;
  title = '';
  static override key = 'Article';
}

export class ArticleWithAuthor extends Entity {
  id = '';
  title = '';
  author = Author.fromJS();
  static override key = 'Article';
  static override schema = { author: Author };
}

export class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

export class Story extends Entity {
  id = '';
  text = '';
  static override key = 'Story';
}

export class Task extends Entity {
  id = '';
  text = '';
  static override key = 'Task';
}

export class Tag extends Entity {
  id = '';
  label = '';
  static override key = 'Tag';
}

export class Book extends Entity {
  id = '';
  title = '';
  static override key = 'Book';
}

export class Issue extends Entity {
  id = '';
  title = '';
  static override key = 'Issue';
}

export class IssueWithAuthor extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static override key = 'Issue';
  static override schema = { author: User };
}

export class Price extends Entity {
  id = '';
  value = 0;
  static override key = 'Price';
}

export class Video extends Entity {
  id = '';
  static override key = 'Video';
}

/** Merging appends the lines. */
export class Log extends Entity {
  id = '';
  lines: string[] = [];
  static override key = 'Log';
  static override merge(existing: { lines: string[] }, incoming: { lines: string[] }) {
    return { ...existing, ...incoming, lines: [...existing.lines, ...incoming.lines] };
  }
}

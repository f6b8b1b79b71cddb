import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRestServer, type ServerProcess } from './serverProcess.ts';

interface Issue {
  id: string;
  title: string;
  status: string;
  priority: string;
  project: { id: string };
  author: { id: string; name: string };
  assignee: { id: string } | null;
  labels: { id: string; name: string }[];
  commentCount: number;
  updatedAt: string;
  version: number;
}
interface Page {
  results: Issue[];
  total: number;
  page: number;
  perPage: number;
  nextPage: number | null;
  prevPage: number | null;
}
interface Failure {
  error: { status: number; message: string; fields?: Record<string, string>; current?: Issue };
}

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-demo-'));
const dataFile = path.join(folder, 'db.json');
let server: ServerProcess;

beforeAll(async () => {
  server = await startRestServer(dataFile);
});

afterAll(async () => {
  await server.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/* oxlint-disable typescript/no-unnecessary-type-parameters -- T is the type of the response that a test expects */
async function get<T>(address: string): Promise<T> {
  const response = await fetch(server.url + address);
  expect(response.status).toBe(200);
  return (await response.json()) as T; // the tests below say which
}

async function send<T>(method: string, address: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + address, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as T };
}

const patch = <T = Issue>(id: string, body: unknown) => send<T>('PATCH', `/issues/${id}`, body);
const newIssue = { project: 'KEL', title: 'A new one', author: 'mira-lindqvist' };

describe('the seed', () => {
  it('the seed has several thousand issues in a handful of projects, with people and labels', async () => {
    const projects = await get<{ id: string }[]>('/projects');
    const { total } = await get<Page>('/issues');
    expect(projects.length).toBeGreaterThanOrEqual(6);
    expect(total).toBeGreaterThanOrEqual(4000);
    expect(await get<unknown[]>('/people')).toHaveLength(40);
    expect(await get<unknown[]>('/labels')).toHaveLength(25);
  });

  it('the seed is the same on every machine but for the dates', async () => {
    const other = await startRestServer(path.join(folder, 'other.json'));
    const response = await fetch(`${other.url}/issues/LAN-77`);
    const there = (await response.json()) as Issue;
    await other.stop('SIGTERM');
    const here = await get<Issue>('/issues/LAN-77');
    expect([there.title, there.author, there.labels, there.version]).toEqual([
      here.title,
      here.author,
      here.labels,
      here.version,
    ]);
  });
});

describe('lists of issues', () => {
  it('pages of issues name their neighbours and never overlap', async () => {
    const first = await get<Page>('/projects/HAR/issues?perPage=40');
    expect(first).toMatchObject({ page: 1, perPage: 40, nextPage: 2, prevPage: null, total: 1080 });
    const last = await get<Page>('/projects/HAR/issues?perPage=40&page=27');
    expect(last).toMatchObject({ nextPage: null, prevPage: 26 });
    const second = await get<Page>('/projects/HAR/issues?perPage=40&page=2');
    const ids = new Set([...first.results, ...second.results, ...last.results].map(({ id }) => id));
    expect(ids.size).toBe(120);
    expect(await get<Page>('/projects/HAR/issues?page=5000')).toMatchObject({ results: [], nextPage: null });
  });

  it('lists of issues are narrowed by status, assignee, label and words, all at once', async () => {
    const open = await get<Page>('/projects/HAR/issues?status=open&perPage=100');
    expect(open.results.every(({ status }) => !['done', 'canceled'].includes(status))).toBe(true);
    const [one] = open.results.filter(({ assignee, labels }) => assignee && labels.length > 0);
    const word = one!.title.split(' ')[1]!;
    const search = new URLSearchParams({
      status: one!.status,
      assignee: one!.assignee!.id,
      label: one!.labels[0]!.id,
      q: word.toUpperCase(),
    });
    const narrow = await get<Page>(`/projects/HAR/issues?${search.toString()}`);
    expect(narrow.results.map(({ id }) => id)).toContain(one!.id);
    for (const issue of narrow.results) {
      expect(issue.status).toBe(one!.status);
      expect(issue.assignee?.id).toBe(one!.assignee!.id);
      expect(issue.labels.map(({ id }) => id)).toContain(one!.labels[0]!.id);
    }
    const nobody = await get<Page>('/projects/HAR/issues?assignee=none');
    expect(nobody.total).toBeGreaterThan(0);
    expect(nobody.results.every(({ assignee }) => assignee === null)).toBe(true);
  });

  it('lists of issues are ordered as asked', async () => {
    const updated = await get<Page>('/projects/BAL/issues?perPage=100');
    const times = updated.results.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.toSorted().reverse());
    const byPriority = await get<Page>('/projects/BAL/issues?sort=priority');
    expect(byPriority.results[0]!.priority).toBe('urgent');
  });

  it('the server lists the issues of one person and of all', async () => {
    const { results } = await get<Page>('/people/mira-lindqvist/issues');
    expect(results.every(({ assignee }) => assignee?.id === 'mira-lindqvist')).toBe(true);
    expect((await get<Page>('/issues')).total).toBeGreaterThanOrEqual(4000);
  });

  it('an unknown parameter is rejected by name', async () => {
    const response = await fetch(
      `${server.url}/projects/HAR/issues?page=0&perPage=1000&sort=constructor&status=toString`,
    );
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as Failure;
    expect(Object.keys(error.fields!).sort()).toEqual(['page', 'perPage', 'sort', 'status']);
  });
});

describe('an issue', () => {
  it('an issue nests its people, labels and project', async () => {
    const issue = await get<Issue>('/issues/HAR-1');
    expect(issue.project).toMatchObject({ id: 'HAR', name: 'Harbor' });
    expect(issue.author.name).toMatch(/\w/);
    expect(issue.labels.length === 0 || issue.labels[0]!.name).toBeTruthy();
  });

  it('an issue is changed in part, and says so in version and updatedAt', async () => {
    const before = await get<Issue>('/issues/HAR-2');
    const { status, body } = await patch('HAR-2', {
      title: 'Another title',
      assignee: null,
      labels: ['bug', { id: 'api' }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Another title', assignee: null, version: before.version + 1 });
    expect(body.labels.map(({ id }) => id)).toEqual(['bug', 'api']);
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect(await get<Issue>('/issues/HAR-2')).toEqual(body);
  });

  it('/changes contains each issue that was changed or deleted since a time', async () => {
    interface Changes {
      until: string;
      issues: Issue[];
      deleted: { id: string }[];
    }
    const all = await get<Changes>('/changes');
    expect(all.issues.map(({ id }) => id)).toContain('HAR-3');
    await patch('HAR-3', { status: 'done' });
    const { body: created } = await send<Issue>('POST', '/issues', newIssue);
    await send('DELETE', `/issues/${created.id}`, undefined);
    const since = await get<Changes>(`/changes?since=${all.until}`);
    // Changes of the same millisecond may be in both.
    expect(since.issues.find(({ id }) => id === 'HAR-3')).toMatchObject({ status: 'done' });
    expect(since.issues.length).toBeLessThan(all.issues.length);
    expect(since.deleted).toContainEqual({ id: created.id });
    expect(since.until >= all.until).toBe(true);
  });

  it('/changes contains the issues of a large project only on request', async () => {
    interface Changes {
      issues: { id: string; project: string; author: string }[];
      projects: { id: string; large: boolean }[];
      people: { id: string }[];
    }
    const large = await get<Changes>('/changes?project=FLT');
    expect(large.issues).toHaveLength(20_000);
    expect(new Set(large.issues.map(({ project }) => project))).toEqual(new Set(['FLT']));
    expect(large.people.map(({ id }) => id)).toContain(large.issues[0]?.author);
    const others = await get<Changes>('/changes');
    expect(others.issues.some(({ project }) => project === 'FLT')).toBe(false);
    expect(others.projects.filter((project) => project.large).map(({ id }) => id)).toEqual(['FLT']);
  });

  it('an issue is replaced only by a whole one', async () => {
    const { status, body } = await send<Failure>('PUT', '/issues/HAR-2', { title: 'Only a title' });
    expect(status).toBe(422);
    expect(body.error.fields).toHaveProperty('status');
    const whole = { title: 'Whole', body: '', status: 'todo', priority: 'low', assignee: null, labels: [] };
    expect((await send('PUT', '/issues/HAR-2', whole)).status).toBe(200);
  });

  it('an issue is not changed at all when one field is wrong', async () => {
    const before = await get<Issue>('/issues/HAR-4');
    const { status, body } = await patch<Failure>('HAR-4', {
      title: '  ',
      status: 'no such',
      assignee: 'nobody',
      labels: ['no such'],
      priority: 7,
    });
    expect(status).toBe(422);
    expect(Object.keys(body.error.fields!).sort()).toEqual([
      'assignee',
      'labels',
      'priority',
      'status',
      'title',
    ]);
    expect(await get<Issue>('/issues/HAR-4')).toEqual(before);
  });

  it('an issue is not changed over a version that the writer has not seen', async () => {
    const { version } = await get<Issue>('/issues/HAR-5');
    expect((await patch('HAR-5', { title: 'First', version })).status).toBe(200);
    const { status, body } = await patch<Failure>('HAR-5', { title: 'Second', version });
    expect(status).toBe(409);
    expect(body.error.current).toMatchObject({ title: 'First', version: version + 1 });
  });

  it('an issue can be created, read and deleted', async () => {
    const { status, body, headers } = await send<Issue>('POST', '/issues', newIssue);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/issues/${body.id}`);
    expect(body).toMatchObject({ status: 'triage', version: 1, labels: [], project: { id: 'KEL' } });
    await send('POST', `/issues/${body.id}/comments`, { body: 'Hello', author: 'mira-lindqvist' });
    expect((await send('DELETE', `/issues/${body.id}`, '')).status).toBe(204);
    expect((await fetch(`${server.url}/issues/${body.id}`)).status).toBe(404);
    expect((await fetch(`${server.url}/issues/${body.id}/comments`)).status).toBe(404);
    const { body: next } = await send<Issue>('POST', '/issues', newIssue);
    expect(next.id).not.toBe(body.id);
  });

  it('an issue is filed once for each idempotency key', async () => {
    const key = { 'Idempotency-Key': 'the-same' };
    const [first, atOnce] = await Promise.all([
      send<Issue>('POST', '/issues', newIssue, key),
      send<Issue>('POST', '/issues', newIssue, key),
    ]);
    const later = await send<Issue>('POST', '/issues', newIssue, key);
    expect([atOnce.body.id, later.body.id]).toEqual([first.body.id, first.body.id]);
    expect(later.headers.get('idempotency-replayed')).toBe('true');
  });
});

test('comments are added, changed and deleted', async () => {
  const { body: comment } = await send<{ id: string }>('POST', '/issues/HAR-6/comments', {
    body: 'Seen here too.',
    author: 'mira-lindqvist',
  });
  const list = await get<{ id: string; author: { name: string } }[]>('/issues/HAR-6/comments');
  expect(list.at(-1)).toMatchObject({ id: comment.id, author: { name: 'Mira Lindqvist' } });
  expect((await get<Issue>('/issues/HAR-6')).commentCount).toBe(list.length);
  expect((await send('PATCH', `/comments/${comment.id}`, { body: 'Not any more.' })).body).toMatchObject({
    body: 'Not any more.',
  });
  const before = await get<Issue>('/issues/HAR-6');
  expect((await send('DELETE', `/issues/HAR-6/comments/${comment.id}`, '')).status).toBe(204);
  const issue = await get<Issue>('/issues/HAR-6');
  expect(issue).toMatchObject({ commentCount: list.length - 1 });
  // So that the devices that ask for changes get the new number of comments.
  expect(issue.updatedAt > before.updatedAt).toBe(true);
  expect(await get<unknown[]>('/issues/HAR-6/comments')).toHaveLength(list.length - 1);
  const { status, body } = await send<Failure>('POST', '/issues/HAR-6/comments', { body: ' ' });
  expect(status).toBe(422);
  expect(Object.keys(body.error.fields!).sort()).toEqual(['author', 'body']);
});

describe('what is not a proper request', () => {
  test.each([
    ['GET', '/nothing', 404],
    ['GET', '/issues/HAR-99999', 404],
    ['GET', '/issues/__proto__', 404],
    ['GET', '/projects/constructor/issues', 404],
    ['GET', '/issues/%E0%A4%A', 400],
    ['GET', '//example.com/issues', 404],
    ['DELETE', '/projects', 405],
    ['PUT', '/issues', 405],
  ])('%s %s is answered with %i in JSON', async (method, address, status) => {
    const response = await fetch(server.url + address, { method });
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as Failure;
    expect(error.status).toBe(status);
    if (status === 405) expect(response.headers.get('allow')).toMatch(/GET/);
  });

  test.each([
    ['not JSON', '{"title":', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['too large', JSON.stringify({ title: 'x'.repeat(300_000) }), 413],
  ])('a body that is %s is refused', async (_what, body, status) => {
    expect((await patch<Failure>('HAR-7', body)).status).toBe(status);
  });

  it('a body of another type is refused', async () => {
    const { status } = await send('PATCH', '/issues/HAR-7', 'title=x', { 'Content-Type': 'text/plain' });
    expect(status).toBe(415);
  });

  it('a body that grows too large while it is sent is refused', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(
        `${server.url}/issues/HAR-7`,
        { method: 'PATCH', headers: { 'Content-Type': 'application/json' } },
        (response) => {
          resolve(response.statusCode);
          response.resume();
          sending.destroy();
        },
      );
      sending.on('error', reject);
      sending.write(`{"title":"${'x'.repeat(300_000)}`);
    });
    expect(status).toBe(413);
  });

  it('bytes that are no HTTP do not end the server', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, 'localhost', () => socket.write('\0\x01 nonsense\r\n\r\n'));
      socket.on('data', (data) => resolve(data.toString()));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(await get('/health')).toEqual({ ok: true });
    expect(server.errors()).toBe('');
  });
});

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    fetch(`${server.url}/issues/HAR-1`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'content-type, idempotency-key',
      },
    });

  it('pages of other origins on this machine may send an idempotency key', async () => {
    const { status, headers } = await preflight('http://localhost:8080');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:8080');
    expect(headers.get('access-control-allow-methods')).toMatch(/PATCH/);
    expect(headers.get('access-control-allow-headers')).toMatch(/Idempotency-Key/);
    const refused = await fetch(`${server.url}/nothing`, { headers: { Origin: 'http://localhost:8080' } });
    expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:8080');
  });

  it('pages of other machines may not', async () => {
    const { headers } = await preflight('https://localhost.example.com');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('vary')).toBe('Origin');
  });
});

describe('the data file', () => {
  async function restart(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') {
    await server.stop(signal);
    server = await startRestServer(dataFile);
  }

  it('the data file has the changes made right before the server was stopped', async () => {
    await patch('HAR-8', { title: 'Before SIGTERM' });
    await restart('SIGTERM');
    expect((await get<Issue>('/issues/HAR-8')).title).toBe('Before SIGTERM');
    await patch('HAR-8', { title: 'Before SIGINT' });
    await restart('SIGINT');
    expect((await get<Issue>('/issues/HAR-8')).title).toBe('Before SIGINT');
  });

  it('the data file is whole, and has all but the last moment, when the server is killed', async () => {
    await patch('HAR-9', { title: 'Before the kill' });
    while (!readFileSync(dataFile, 'utf8').includes('Before the kill'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    void patch('HAR-9', { title: 'Perhaps' }).catch(() => undefined);
    await restart('SIGKILL');
    expect(['Before the kill', 'Perhaps']).toContain((await get<Issue>('/issues/HAR-9')).title);
  });

  it('a second server for the same data file is rejected', async () => {
    await expect(startRestServer(dataFile)).rejects.toThrow(`Another server uses ${dataFile}. Stop that one`);
    await restart('SIGKILL');
    expect((await fetch(`${server.url}/issues/HAR-1`)).status).toBe(200);
  });

  it('the data file is set aside, not overwritten, when it cannot be read', async () => {
    const broken = path.join(folder, 'broken.json');
    writeFileSync(broken, '{"format":1,"iss');
    const other = await startRestServer(broken);
    expect((await fetch(`${other.url}/issues/HAR-1`)).status).toBe(200);
    expect(other.errors()).toMatch(/starting with fresh data/);
    await other.stop('SIGTERM');
    expect(readdirSync(folder).some((name) => name.startsWith('broken.json.unreadable-'))).toBe(true);
  });
});

it('the server can be slow on purpose', async () => {
  const slow = await startRestServer(path.join(folder, 'slow.json'), ['--latency', '200']);
  const start = performance.now();
  await fetch(`${slow.url}/health`);
  expect(performance.now() - start).toBeGreaterThan(190);
  await slow.stop('SIGTERM');
});

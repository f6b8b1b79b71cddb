await navigator.serviceWorker.register('/sw.ts', { type: 'module' });
await navigator.serviceWorker.ready;

const list = document.querySelector('#tasks');
const load = document.querySelector<HTMLButtonElement>('#load');

load?.addEventListener('click', () => {
  void show();
});

async function show(): Promise<void> {
  const response = await fetch('/api/tasks');
  const tasks = (await response.json()) as { id: string; title: string }[]; // what the server sends
  list?.replaceChildren(
    ...tasks.map(({ title }) => Object.assign(document.createElement('li'), { textContent: title })),
  );
}

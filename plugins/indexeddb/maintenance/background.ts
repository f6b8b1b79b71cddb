/** What runs in the background: loaded after start-up. */
export { backgroundRestore } from '../reading/backgroundRestore.ts';
export { compactAndEvict, makeRoom } from './compactAndEvict.ts';

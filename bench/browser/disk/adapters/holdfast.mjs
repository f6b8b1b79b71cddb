import { makeAdapter } from '../holdfastAdapter.mjs';

export const adapter = makeAdapter('Holdfast');

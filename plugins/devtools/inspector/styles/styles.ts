import { controls } from './controls.ts';
import { details } from './details.ts';
import { frame } from './frame.ts';
import { lists } from './lists.ts';
import { theme } from './theme.ts';

/** The inspector's styles. They live in its shadow tree, so they concern nothing else. */
export const styles: string = [theme, frame, controls, lists, details].join('');

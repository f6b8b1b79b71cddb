import { controls } from './controls.ts';
import { details } from './details.ts';
import { frame } from './frame.ts';
import { lists } from './lists.ts';
import { theme } from './theme.ts';

/** The inspector's styles. They apply to its shadow tree only. */
export const styles: string = [theme, frame, controls, lists, details].join('');

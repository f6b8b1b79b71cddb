// A module in this folder, because only its packages include publint, and they are installed when the check runs.
export { publint } from 'publint';
export { formatMessage } from 'publint/utils';

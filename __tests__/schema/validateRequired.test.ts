import { describe, expect, it } from '@jest/globals';
import { validateRequired } from 'holdfast';

describe('validateRequired', () => {
  const required = { id: '', title: '', likes: 0 };

  it('validateRequired returns no error for a value that has every required field', () => {
    expect(validateRequired({ id: '1', title: '', likes: 0, more: 1 }, required)).toBeUndefined();
  });

  it('takes null and undefined for values: the server sent them', () => {
    expect(validateRequired({ id: null, title: undefined, likes: NaN }, required)).toBeUndefined();
  });

  it('names the first field that is missing', () => {
    expect(validateRequired({ id: '1' }, required)).toContain('"title"');
    expect(validateRequired({ id: '1', title: 't' }, required)).toContain('"likes"');
  });

  it('does not take what an object inherits for a field', () => {
    expect(validateRequired({}, { toString: '' })).toContain('"toString"');
    expect(
      validateRequired(
        Object.create({ id: '1', title: '', likes: 0 }) as object as Record<string, unknown>,
        required,
      ),
    ).toContain('"id"'); // any object will do
  });
});

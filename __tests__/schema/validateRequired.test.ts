import { describe, expect, it } from '@jest/globals';
import { validateRequired } from 'holdfast';

describe('validateRequired', () => {
  const required = { id: '', title: '', likes: 0 };

  it('validateRequired returns no error for a value that has every required field', () => {
    expect(validateRequired({ id: '1', title: '', likes: 0, more: 1 }, required)).toBeUndefined();
  });

  it('validateRequired accepts null and undefined: the server sent them', () => {
    expect(validateRequired({ id: null, title: undefined, likes: NaN }, required)).toBeUndefined();
  });

  it('validateRequired names the first missing field', () => {
    expect(validateRequired({ id: '1' }, required)).toContain('"title"');
    expect(validateRequired({ id: '1', title: 't' }, required)).toContain('"likes"');
  });

  it('validateRequired ignores inherited members of an object', () => {
    expect(validateRequired({}, { toString: '' })).toContain('"toString"');
    expect(
      validateRequired(
        Object.create({ id: '1', title: '', likes: 0 }) as object as Record<string, unknown>,
        required,
      ),
    ).toContain('"id"'); // any object will do
  });
});

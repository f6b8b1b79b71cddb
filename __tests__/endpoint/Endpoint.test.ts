import { Endpoint } from '../../src/endpoint/Endpoint.ts';

describe('Endpoint', () => {
  const double = new Endpoint(
    function double(this: Endpoint, n: number) {
      return Promise.resolve({ n: n * 2, name: this.name });
    },
    { dataExpiryLength: 5 },
  );

  it('is called like its function, with itself as this', async () => {
    expect(typeof double).toBe('function');
    await expect(double(2)).resolves.toEqual({ n: 4, name: 'double' });
    await expect(double.call(undefined, 3)).resolves.toEqual({ n: 6, name: 'double' });
  });

  it('is an instance of its class', () => {
    class Special extends Endpoint {
      readonly #secret = 'secret';
      readonly field = 1;
      tell(): string {
        return this.#secret;
      }
    }
    const special = new Special(() => Promise.resolve(1), { name: 'one' });
    const extended = special.extend({ name: 'two' }) as Special;
    for (const endpoint of [special, extended]) {
      expect(endpoint).toBeInstanceOf(Special);
      expect(endpoint).toBeInstanceOf(Endpoint);
      expect(endpoint).toBeInstanceOf(Function);
      expect(endpoint.tell()).toBe('secret');
      expect(endpoint.field).toBe(1);
    }
  });
});

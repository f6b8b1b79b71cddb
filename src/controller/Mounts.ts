import type { Read } from './Plugin.ts';

/** Told when a read comes on screen and when it has left. */
export interface MountListener {
  mounted(key: string): void;
  unmounted(read: Read): void;
}

/** A read, and how many readers show it. */
interface Mount extends Read {
  readers: number;
}

/** The reads that are on screen, by endpoint key, whatever number of readers each has. */
export class Mounts {
  readonly #mounts = new Map<string, Mount>();
  readonly #listener: MountListener;

  constructor(listener: MountListener) {
    this.#listener = listener;
  }

  /** Another reader shows it. */
  add({ endpoint, args, key }: Read): void {
    const mount = this.#mounts.get(key);
    if (mount !== undefined) {
      mount.readers += 1;
      return;
    }
    this.#mounts.set(key, { endpoint, args, key, readers: 1 });
    this.#listener.mounted(key);
  }

  /** A reader that was added shows it no longer. */
  remove(read: Read): void {
    const mount = this.#mounts.get(read.key);
    if (mount === undefined || (mount.readers -= 1) > 0) return;
    this.#mounts.delete(read.key);
    this.#listener.unmounted(read);
  }

  get(key: string): Read | undefined {
    return this.#mounts.get(key);
  }

  reads(): Iterable<Read & { readonly readers: number }> {
    return this.#mounts.values();
  }
}

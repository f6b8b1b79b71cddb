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

  /** @returns takes this reader away again, once */
  add(read: Read): () => void {
    const { endpoint, args, key } = read;
    const found = this.#mounts.get(key);
    const mount = found ?? { endpoint, args, key, readers: 0 };
    mount.readers += 1;
    if (found === undefined) {
      this.#mounts.set(key, mount);
      this.#listener.mounted(key);
    }
    let isMounted = true;
    return () => {
      if (!isMounted) return;
      isMounted = false;
      mount.readers -= 1;
      if (mount.readers > 0) return;
      this.#mounts.delete(key);
      this.#listener.unmounted(read);
    };
  }

  get(key: string): Read | undefined {
    return this.#mounts.get(key);
  }

  reads(): Iterable<Read & { readonly readers: number }> {
    return this.#mounts.values();
  }
}

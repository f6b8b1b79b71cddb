/** A module of an app, which tests compile in several ways. */
import { createResource, Entity, EntityMixin, RestEndpoint, type RestEndpointOptions } from 'holdfast';

function sealed(_entity: unknown, _context?: unknown): void {
  // A decorator makes compilers emit classes in another form.
}

@sealed
export class Keeper extends Entity {
  id = '';
  name = 'nobody';
  nickname?: string;
  since!: Date;
  static override key = 'Keeper';
  static override schema = { since: Date };
  static override readonly indexes = ['name'];
}

export class Lamp extends Entity {
  id!: string;
  label = '';
  keeper = Keeper.fromJS();
  describe = (): string => `lamp ${this.label}`;
  get loud(): string {
    return this.label.toUpperCase();
  }
  static override key = 'Lamp';
  static override schema = { keeper: Keeper };
}

export class LampDetail extends Lamp {
  override label = 'unlabeled';
  lens = '';
  static override schema = { ...super.schema };
  static override validate(lamp: object): string | undefined {
    return 'lens' in lamp ? undefined : 'no lens';
  }
}

class Badge {
  holder = '';
}
export class StoredBadge extends EntityMixin(Badge, { pk: 'holder' }) {
  color = 'blue';
  static override key = 'Badge';
}

class ApiEndpoint<const O extends RestEndpointOptions> extends RestEndpoint<O> {
  override readonly urlPrefix = 'http://lamps.test';
  override readonly dataExpiryLength = 5;
  readonly #token = 'a1';

  override getHeaders(headers: Record<string, string>): Record<string, string> {
    return { ...headers, token: this.#token };
  }
}
export const LampResource = createResource({
  path: '/lamps/:id',
  schema: Lamp,
  Endpoint: ApiEndpoint,
  optimistic: true,
});

import { createResource, Entity } from 'holdfast';
import { ApiEndpoint } from './ApiEndpoint.ts';

export class Profile extends Entity {
  username = '';
  bio: string | null = null;
  image: string | null = null;
  following = false;

  static override key = 'Profile';

  override pk() {
    return this.username;
  }
}

const profile = { profile: Profile };

export const ProfileResource = createResource({
  path: '/profiles/:username',
  schema: Profile,
  Endpoint: ApiEndpoint,
}).extend((base) => ({
  get: base.get.extend({ schema: profile }),
  follow: base.get.extend({
    path: '/profiles/:username/follow',
    method: 'POST',
    body: undefined,
    schema: profile,
    getOptimisticResponse: (_snapshot, { username }) => ({ profile: { username, following: true } }),
  }),
  unfollow: base.get.extend({
    path: '/profiles/:username/follow',
    method: 'DELETE',
    schema: profile,
    getOptimisticResponse: (_snapshot, { username }) => ({ profile: { username, following: false } }),
  }),
}));

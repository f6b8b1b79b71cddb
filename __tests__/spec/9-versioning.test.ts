import { describe, expect, it } from '@jest/globals';
import {
  createResource,
  hookifyResource,
  type EndpointArgs,
  type EndpointData,
  type HookedResource,
} from 'holdfast';
import { assertType, type Equal } from '../types/equal.ts';
import { Article } from '../support/entities.ts';

const ArticleResource = createResource({ path: '/groups/:group/articles/:id', schema: Article });
type Resource = typeof ArticleResource;

// Which compilers understand the published types is what the step `published-types` of `npm run test:everywhere` checks.
describe('9.1 generative (inferred) types', () => {
  it('the types of parameters are inferred from the path pattern', () => {
    type Params = EndpointArgs<Resource['get']>[0];
    assertType<Equal<keyof Params, 'group' | 'id'>>();
    assertType<Equal<Resource['getList']['path'], '/groups/:group/articles'>>();
    expect(ArticleResource.getList.path).toBe('/groups/:group/articles');
  });

  it('the types of data are inferred from the schema', () => {
    assertType<Equal<EndpointData<Resource['get']>, Article>>();
    assertType<Equal<EndpointData<Resource['getList']>[number], Article>>();
    expect(ArticleResource.get.schema).toBe(Article);
  });

  it('the names of hooks are inferred from the members of the resource', () => {
    type Names = 'useGet' | 'useGetList' | 'useCreate' | 'useUpdate' | 'usePartialUpdate' | 'useDelete';
    assertType<Equal<keyof HookedResource<Resource>, Names>>();
    expect(Object.keys(hookifyResource(ArticleResource))).toContain('usePartialUpdate');
  });
});

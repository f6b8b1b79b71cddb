import { Entity, validateRequired } from 'holdfast';
import { Profile } from './Profile.ts';

/** An article as lists have it: without its body. */
export class ArticleSummary extends Entity {
  slug = '';
  title = '';
  description = '';
  tagList: readonly string[] = [];
  createdAt = new Date(0);
  updatedAt = new Date(0);
  favorited = false;
  favoritesCount = 0;
  author = Profile.fromJS();

  static override key = 'Article';
  static override schema = { author: Profile, createdAt: Date, updatedAt: Date };

  override pk() {
    return this.slug;
  }
}

export class Article extends ArticleSummary {
  body = '';

  static override validate(processed: Readonly<Record<string, unknown>>) {
    return validateRequired(processed, { body: '' }) ?? super.validate(processed);
  }
}

/** What a person writes. */
export interface ArticleText {
  readonly title: string;
  readonly description: string;
  readonly body: string;
  readonly tagList: readonly string[];
}

import { useController, useLoading, useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import type { Article, ArticleText } from '../data/Article.ts';
import { ArticleResource } from '../data/ArticleResource.ts';
import { navigate, pathTo } from '../routing.tsx';
import { Problems } from '../ui/Failure.tsx';
import { Field } from '../ui/Field.tsx';

/** Writes an article; without a slug, a new one. */
export function EditorScreen({ slug }: { readonly slug: string | undefined }): ReactElement {
  return slug === undefined ? <NewArticle /> : <EditArticle slug={slug} />;
}

function NewArticle(): ReactElement {
  const controller = useController();
  return (
    <Editor
      title="New article"
      save={async (text) => (await controller.fetch(ArticleResource.create, text)).article.slug}
    />
  );
}

function EditArticle({ slug }: { readonly slug: string }): ReactElement {
  const controller = useController();
  const { article } = useSuspense(ArticleResource.get, { slug });
  return (
    <Editor
      title="Edit article"
      article={article}
      save={async (text) => (await controller.fetch(ArticleResource.update, { slug }, text)).article.slug}
    />
  );
}

interface EditorProps {
  readonly title: string;
  readonly article?: Article;
  /** Resolves with the slug that it has now. */
  readonly save: (text: ArticleText) => Promise<string>;
}

function Editor({ title, article, save }: EditorProps): ReactElement {
  const [submit, isSaving, error] = useLoading(async (form: FormData) => {
    navigate(pathTo('article', await save(textOf(form))));
  });
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <Field label="Title" name="title" defaultValue={article?.title} />
        <Field label="What is it about?" name="description" defaultValue={article?.description} />
        <label>
          Text
          <textarea name="body" rows={10} defaultValue={article?.body} />
        </label>
        <Field label="Tags, with spaces between" name="tagList" defaultValue={article?.tagList.join(' ')} />
        <Problems error={error} />
        <button type="submit" disabled={isSaving}>
          Publish
        </button>
      </form>
    </section>
  );
}

function textOf(form: FormData): ArticleText {
  const read = (name: string): string => form.get(name) as string; // none of them is a file
  return {
    title: read('title').trim(),
    description: read('description').trim(),
    body: read('body').trim(),
    tagList: read('tagList')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}

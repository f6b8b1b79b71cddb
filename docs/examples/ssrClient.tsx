import { Controller, streamedState } from 'holdfast';
import { hydrateRoot } from 'react-dom/client';
import { ArticlePage } from './ssrPage.tsx';

const controller = new Controller({ initialState: await streamedState() });
hydrateRoot(document, <ArticlePage controller={controller} />);

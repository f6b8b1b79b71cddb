import { Controller, streamedState } from 'holdfast';
import { hydrateRoot } from 'react-dom/client';
import { Page } from './page.tsx';

const controller = new Controller({ initialState: await streamedState() });
hydrateRoot(document, <Page controller={controller} />);

import react from '@vitejs/plugin-react';
import { api } from './server.mjs';

const rest = {
  name: 'rest',
  configureServer({ middlewares }) {
    middlewares.use('/api/tasks', api);
  },
};

export default { plugins: [react(), rest] };

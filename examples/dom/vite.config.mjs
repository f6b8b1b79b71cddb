import { api } from '../api.mjs';

const rest = {
  name: 'rest',
  configureServer({ middlewares }) {
    middlewares.use(api);
  },
};

export default { plugins: [rest] };

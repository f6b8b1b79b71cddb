import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { withoutNoise } from './viteWarnings.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: folder('app'),
  plugins: [react()],
  build: {
    outDir: folder('dist'),
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: { ...withoutNoise, input: { main: folder('app/index.html') } },
  },
});

import { defineConfig } from 'vite';

// The server serves index.html at / and everything else below /page.
export default defineConfig({
  base: '/page/',
  esbuild: { jsx: 'automatic' },
  build: {
    target: 'es2022',
    // Fonts stay files, so that they are cached; nothing is put inline, which the Content-Security-Policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': process.env.ROLLSCOPE_URL ?? 'http://127.0.0.1:18080' } },
});

import { createHash } from 'node:crypto';
import type { OutputAsset, OutputBundle, OutputChunk } from 'rollup';
import { defineConfig, type Plugin } from 'vite';

/** Puts script and style into report.html, so that one file is the whole application, and forbids it everything else. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle: OutputBundle) {
      const files = Object.values(bundle);
      const html = files.find((f): f is OutputAsset => f.type === 'asset' && f.fileName.endsWith('.html'));
      const chunks = files.filter((f): f is OutputChunk => f.type === 'chunk');
      const styles = files.filter((f): f is OutputAsset => f.type === 'asset' && f.fileName.endsWith('.css'));
      if (!html || chunks.length !== 1) throw new Error(`report: ${chunks.length} scripts (expected: 1)`);
      const style = styles.map((f) => String(f.source)).join('\n');
      // What ends or opens a script element must not appear in one.
      const script = chunks[0]!.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const policy = [
        "default-src 'none'",
        `script-src '${hashOf(script)}'`,
        `style-src '${hashOf(style)}'`,
        'font-src data:',
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      const page = String(html.source)
        .replace(/<script[^>]*src=[^>]*><\/script>\n?/, '')
        .replace(/<link[^>]*rel="stylesheet"[^>]*>\n?/, '')
        // Before anything that it is about.
        .replace(/<meta charset[^>]*>/, (charset) => `${charset}\n${policyElement(policy)}`)
        .replace('</head>', () => `<style>${style}</style>\n</head>`)
        .replace('</body>', () => `<script type="module">${script}</script>\n</body>`);
      for (const name of Object.keys(bundle)) delete bundle[name];
      this.emitFile({ type: 'asset', fileName: 'report.html', source: page });
    },
  };
}

function policyElement(policy: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}

export default defineConfig({
  base: './',
  publicDir: false,
  esbuild: { jsx: 'automatic' },
  plugins: [oneFile()],
  build: {
    target: 'es2022',
    outDir: 'dist-report',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: { input: 'report.html', output: { inlineDynamicImports: true } },
  },
});

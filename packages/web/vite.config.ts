import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const serverUrl = process.env.COUNTERSIGN_SERVER_URL ?? 'http://127.0.0.1:4100'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The Content-Security-Policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // light-dark() must reach the browser untouched: /design shows both themes on one page.
    target: ['chrome123', 'safari17.5', 'firefox128'],
  },
  server: { proxy: { '/api': serverUrl } },
})

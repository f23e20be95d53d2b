// The server runs from its sources and starts anew when they change; the web app is built anew into dist/web.
process.argv.push('--dev')
await import('./start.mjs')

import { build } from './build.mjs'
import { install } from './install.mjs'

// The server runs from its sources and starts anew when they change; the web app is built anew into dist/web.
await install()
if (!(await build())) process.exit(1)
process.argv.push('--dev')
await import('../dist/launch.js')

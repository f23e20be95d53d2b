import { build } from './build.mjs'
import { install } from './install.mjs'

// `npm run backup` and `npm run restore`: the command stands in the arguments, a path after it.
await install()
if (await build()) await import('../dist/backup.js')
else process.exitCode ||= 1

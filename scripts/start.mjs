import { build } from './build.mjs'
import { install } from './install.mjs'

await install()
if (!(await build())) process.exit(1)
// In this very process: signals reach the launcher as they come, nothing has to be passed on.
await import('../dist/launch.js')

import { build } from './build.mjs'
import { install } from './install.mjs'
import { endChildrenWithUs, runNode } from './run.mjs'

endChildrenWithUs()
await install()
if (!(await build())) process.exit(1)
const { code } = await runNode(['--import', 'tsx', 'packages/e2e/src/pages/screenshots.ts', ...process.argv.slice(2)])
process.exitCode = code

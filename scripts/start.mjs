import { build } from './build.mjs'
import { endWithNpm } from './end-with-npm.mjs'
import { install } from './install.mjs'
import { endChildrenWithUs } from './run.mjs'

endWithNpm()
const launcherTakesOver = endChildrenWithUs()
try {
  await install()
  if (!(await build())) process.exit(process.exitCode || 1)
} catch (error) {
  // The file system refused: a full disk, a read-only one, files of another user.
  if (!error.code || !error.syscall) throw error
  console.error(`BUILD_FAILED  \`${error.path ?? 'dist'}\` cannot be written (${error.code}).`)
  console.error('  Make room, or give this user the right to write there, then start again.')
  process.exit(1)
}
launcherTakesOver()
// In this very process: signals reach the launcher as they come, nothing has to be passed on.
await import('../dist/launch.js')

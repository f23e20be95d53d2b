import { build } from './build.mjs'
import { install } from './install.mjs'

// `npm run doctor`: what the server stands on, each finding with what to do. Ends with 1 where there is a fault.
await install()
if (await build()) await import('../dist/doctor.js')
else process.exitCode ||= 1

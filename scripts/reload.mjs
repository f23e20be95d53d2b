// `npm run reload`: the launcher that runs reads its configuration again. It was built when it was started.
process.argv.push('--reload')
await import('../dist/launch.js')

import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { workersFrom } from './thread-worker.ts'

// Runs the built code of a Worker in a thread of Node, with the globals that a browser provides to a Worker.

const { directory, file }: { directory: string; file: string } = workerData

Object.assign(globalThis, {
  self: globalThis,
  Worker: workersFrom(directory),
  postMessage: (message: unknown) => parentPort?.postMessage(message),
  addEventListener: (_type: 'message', listen: (event: { data: unknown }) => void) =>
    parentPort?.on('message', (data) => listen({ data })),
})

await import(/* @vite-ignore */ join(directory, file))

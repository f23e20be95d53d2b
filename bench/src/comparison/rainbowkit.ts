import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@countersign/e2e'

const source = fileURLToPath(new URL('../../rainbowkit/', import.meta.url))
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Installs and builds the app of comparison in a folder of its own: its licence terms and packages are not ours. */
export async function buildRainbowKit(): Promise<{ directory: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-rainbowkit-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    cpSync(source, folder, { recursive: true })
    console.log('  installing and building the app with RainbowKit')
    const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: folder, stdio: 'pipe' })
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'])
    run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'])
    return { directory: join(folder, 'dist'), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The built files as they are, on a free port. */
export async function serve(directory: string): Promise<{ url: string; close: () => void }> {
  const port = await freePort()
  const server = createServer((request, response) => {
    const path = join(directory, new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = extname(path) ? path : join(directory, 'index.html')
    if (!existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://localhost:${port}`, close: () => void server.close() }
}

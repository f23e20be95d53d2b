import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const packed = new Set(['.png', '.woff2', '.ico'])

type File = {
  content: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer> | null
  type: string
  tag: string
  isHashed: boolean
}

/** The built web app, read and compressed once: it is small, and then no request touches the disk. */
export function createStaticFiles(directory: string): (request: Request, path: string) => Response | null {
  const files = new Map<string, File>()
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const full = join(entry.parentPath, entry.name)
    const extension = extname(entry.name)
    const content = new Uint8Array(readFileSync(full))
    files.set(`/${relative(directory, full).split(sep).join('/')}`, {
      content,
      gzip: packed.has(extension) ? null : new Uint8Array(gzipSync(content)),
      type: types[extension] ?? 'application/octet-stream',
      tag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
      isHashed: /[-.][\w-]{8,}\.\w+$/.test(entry.name) && full.includes(`${sep}assets${sep}`),
    })
  }
  return (request, path) => {
    // Every address of the app is the same page; a missing asset is missing.
    const file = files.get(path) ?? (extname(path) === '' ? files.get('/index.html') : undefined)
    if (!file) return null
    const headers = new Headers({
      'content-type': file.type,
      'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: file.tag,
      vary: 'accept-encoding',
    })
    if (request.headers.get('if-none-match') === file.tag) return new Response(null, { status: 304, headers })
    const usesGzip = file.gzip !== null && /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
    if (usesGzip) headers.set('content-encoding', 'gzip')
    const body = usesGzip ? file.gzip : file.content
    return new Response(request.method === 'HEAD' ? null : body, { headers })
  }
}

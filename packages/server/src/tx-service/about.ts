import type { TxService } from './service.ts'

/** What this service is. Keys stand as clients know them, in snake case here; where its nodes are it does not tell. */
export function aboutRoutes({ read }: TxService): void {
  read('GET', '/v1/about', async ({ deps }) => ({
    name: 'Safe Transaction Service',
    version: deps.version,
    api_version: 'v1',
    secure: deps.publicUrl.protocol === 'https:',
    host: deps.publicUrl.host,
    headers: [],
    settings: {},
  }))
}

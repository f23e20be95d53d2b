import { createQueryClient } from '../api/query-client.ts'
import { endSession } from '../wallet/index.ts'

/** Everything that this page asks the server for. */
export const queries = createQueryClient({ onSessionEnded: (error) => endSession(queries, error) })

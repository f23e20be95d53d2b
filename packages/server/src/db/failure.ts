import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'

type DatabaseFailure = 'DATABASE_UNAVAILABLE' | 'DISK_FULL' | 'DATABASE_READ_ONLY'

/** By SQLSTATE or the system's error code. */
const codes = new Map<string, DatabaseFailure>([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'ETIMEDOUT',
    // The connection failed.
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
    // Shutting down, crashed, starting, too many connections, out of memory, cancelled, the device fails.
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '53200',
    '57014',
    '58030',
    // Not taking connections, or not there (any more).
    '55000',
    '3D000',
  ].map((code) => [code, 'DATABASE_UNAVAILABLE'] as const),
  ['53100', 'DISK_FULL'],
  ['25006', 'DATABASE_READ_ONLY'],
])

/** Messages of the driver that come without a code. */
const AWAY =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/

/** The error of the database itself, when that is why something failed. */
export function parseDatabaseFailure(error: unknown): CountersignError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at)
    if (code === 'DISK_FULL') return fail(code, { reason: 'database' }, error)
    if (code === 'DATABASE_READ_ONLY') return fail(code, {}, error)
    if (code) return fail(code, { reason: 'silent' }, error)
  }
  return null
}

function codeOf(error: Error): DatabaseFailure | undefined {
  if (!('code' in error) || typeof error.code !== 'string')
    return AWAY.test(error.message) ? 'DATABASE_UNAVAILABLE' : undefined
  const isConnecting = 'syscall' in error && error.syscall === 'connect'
  // Without its socket PostgreSQL is away; any other missing file is none of its business.
  if (error.code === 'ENOENT' && !isConnecting) return undefined
  return codes.get(error.code)
}

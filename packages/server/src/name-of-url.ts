/** Names a URL by its host and the file, since any other part of a path may be a key. */
export function nameOfUrl({ host, pathname }: URL): string {
  const [, file] = /\/([\w-]{1,40}\.\w{2,8})$/.exec(pathname) ?? []
  return file === undefined ? host : `${host}${pathname === `/${file}` ? '/' : '/…/'}${file}`
}

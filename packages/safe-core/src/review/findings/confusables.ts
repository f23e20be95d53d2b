/**
 * Characters that pass for a Latin letter or a digit, each group written as what it passes for. Own selection of what
 * imitates token symbols, after the idea of skeletons in Unicode TS 39.
 */
const lookAlikes: Record<string, string> = {
  a: 'аɑαạ',
  b: 'ЬƄьḅ',
  c: 'сϲⅽ',
  d: 'ԁⅾɗ',
  e: 'еҽєε℮',
  f: 'ғƒ',
  g: 'ɡցǥ',
  h: 'һհн',
  i: 'іıɩιӏ1lⅼ|!ǀ',
  j: 'јϳ',
  k: 'кκ',
  m: 'мⅿ',
  n: 'ոпη',
  o: 'оοօ0σ๐',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гꭇ',
  s: 'ѕꜱ5$',
  t: 'тτ',
  u: 'υսцʋ',
  v: 'ѵνⅴ',
  w: 'ԝшω',
  x: 'хχⅹ×',
  y: 'уүγ',
  z: 'ᴢζ2',
}

const latin = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    [...others].map((other): [string, string] => [other.toLowerCase(), letter]),
  ),
)

/** What a name looks like: marks, spaces and hidden characters gone, everything that passes for Latin made Latin. */
export function skeletonOf(name: string): string {
  const plain = name
    .slice(0, 256)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{S}\p{P}]/gu, '')
  return [...plain].map((character) => latin.get(character) ?? character).join('')
}

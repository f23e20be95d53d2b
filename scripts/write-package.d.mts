export function writePackage(name: 'safe' | 'review', folder: string): void

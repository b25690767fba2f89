/** Copies text; false if the browser does not let us. Plain http has no clipboard API, hence the second way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden';
  document.body.append(area);
  const focused = document.activeElement as HTMLElement | null;
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return done;
}

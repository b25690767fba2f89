export function TargetsView() {
  return null;
}

/** An endpoint's path, which may break after its slash and nowhere else. */
export function EndpointName({ path }: { path: string }) {
  const [platform, name] = path.split('/');
  if (name === undefined) return platform;
  return (
    <>
      {platform}/<wbr />
      {name}
    </>
  );
}

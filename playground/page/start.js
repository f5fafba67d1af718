// Says why nothing comes, where a page may load no modules: read from the disk, without a server.
addEventListener("DOMContentLoaded", () => {
  if (location.protocol !== "file:") return;
  document.getElementById("verdict").textContent =
    "The playground needs a server, since a browser starts no Python from the disk: " +
    "run “python -m http.server” in the folder of this site, and open the address that it prints.";
});

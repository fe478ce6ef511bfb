// The message comes when the page is long there, and slides in.
setTimeout(() => {
  const message = document.createElement("div");
  message.className = "message";
  for (const [tag, text] of [["p", "The match has begun."], ["button", "Watch"], ["button", "Not now"]]) {
    message.append(Object.assign(document.createElement(tag), { textContent: text }));
  }
  document.querySelector(".layer").append(message);
  requestAnimationFrame(() => requestAnimationFrame(() => message.classList.add("in")));
}, 300);

// What is typed in the bar must not arrive here.
window.heard = [];
for (const type of ["keydown", "keyup", "beforeinput", "input"]) {
  document.addEventListener(type, (event) => heard.push(event.key ?? event.data), true);
}

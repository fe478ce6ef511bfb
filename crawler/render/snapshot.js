(maxElements, maxLength) => {
	const url = document.location.href;
	const elements = document.getElementsByTagName("*").length;
	if (elements > maxElements) {
		return {url, elements, html: ""};
	}
	const html = (document.doctype ? "<!DOCTYPE html>" : "") + document.documentElement.outerHTML;
	return {url, elements, html: html.slice(0, maxLength + 1)};
}

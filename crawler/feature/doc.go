// Package feature turns pages and links into the features that a conditional random field reads, [CRF] §5.3. Start with Page
// and Link.
package feature

// Package lsi is latent semantic indexing, [HMM] §2.2.1 steps 2 to 4: documents become tf-idf vectors, and these become
// points in a space of few dimensions where documents about the same things lie near each other.
//
// Start with Fit, which returns a Space and the coordinates of its documents. Space.Fold returns the coordinates of an
// unseen document, and Cosine compares two documents.
//
//	text.Collection -> weights, eq. (1) -> unit columns of A (m×N) -> A ≈ U_k Σ_k V_kᵀ, eq. (2) -> U_kᵀ d, scaled to length 1
//
// A document's coordinates are always U_kᵀ d (for a training document equal to its row of V_k Σ_k), never Σ_k⁻¹ U_kᵀ d:
// the two conventions give different cosines and must not be mixed.
//
// There are two methods of decomposition, whose singular values and document cosines agree to 1e-6: all eigenvectors of the
// Gram matrix for few documents, and Lanczos iteration on the sparse matrix for more. Both work with AᵀA, so that a
// singular value is exact to about 1e-16·σ₁²/σ_i. Everything is deterministic: the same documents in the same order give
// the same bytes.
package lsi

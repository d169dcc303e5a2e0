/**
 * Verbs carried out by the calling thread, with loads, stores and atomic instructions on memory that is mapped here:
 * {@code mem:} inside one process, {@code shm:} between processes (what CXL gives a rack).
 *
 * <p>There is no memory side to protect anything, so the library checks on its behalf: against bugs, not against malice;
 * file permissions are the boundary.
 */
package tidepool.fabric.direct;

/**
 * Fabrics with one deliberate defect each, and the proof that the contract catches them. A suite that no broken fabric
 * fails has shown nothing.
 */
package tidepool.contracts.broken;

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the forces of OpenMM's kinds of forces on OpenCL and by its reference implementation.

Prints "passed NAME" or "wrong NAME" with the largest difference, relative to the largest force.
"""

import numpy as np
import openmm as mm
import openmm.unit as unit

SIDE = 8
LENGTH = 3.0
COUNT = SIDE**3
MOST_DIFFERENCE = 1e-3  # single precision, in which angles lose most
FORCE = unit.kilojoule_per_mole / unit.nanometer


def positions():
    random = np.random.default_rng(1)
    line = (np.arange(SIDE) + 0.5) * LENGTH / SIDE
    grid = np.array([(x, y, z) for x in line for y in line for z in line])
    return grid + random.normal(0, 0.03, grid.shape)


def nonbonded(method):
    force = mm.NonbondedForce()
    force.setNonbondedMethod(method)
    force.setCutoffDistance(1.0)
    for i in range(COUNT):
        force.addParticle(0.5 * (-1)**i, 0.25, 0.6)
    return [force]


def bonds():
    force = mm.HarmonicBondForce()
    angles = mm.HarmonicAngleForce()
    torsions = mm.PeriodicTorsionForce()
    for i in range(COUNT - 3):
        force.addBond(i, i + 1, 0.3, 1000)
        angles.addAngle(i, i + 1, i + 2, 1.9, 50)
        torsions.addTorsion(i, i + 1, i + 2, i + 3, 3, 0.3, 5)
    return [force, angles, torsions]


def custom():
    force = mm.CustomNonbondedForce("a*exp(-b*r)/(1+r^2); a=sqrt(a1*a2); b=3+sin(r)")
    force.addPerParticleParameter("a")
    force.setNonbondedMethod(mm.CustomNonbondedForce.CutoffPeriodic)
    force.setCutoffDistance(1.0)
    for i in range(COUNT):
        force.addParticle([1.0 + i % 5])
    return [force]


def implicit_solvent():
    force = mm.GBSAOBCForce()
    force.setNonbondedMethod(mm.GBSAOBCForce.CutoffPeriodic)
    force.setCutoffDistance(1.0)
    for i in range(COUNT):
        force.addParticle(0.5 * (-1)**i, 0.15, 0.8)
    return [force]


SYSTEMS = {
    "cutoff": lambda: nonbonded(mm.NonbondedForce.CutoffPeriodic),
    "no-cutoff": lambda: nonbonded(mm.NonbondedForce.NoCutoff),
    "ewald": lambda: nonbonded(mm.NonbondedForce.Ewald),
    "pme": lambda: nonbonded(mm.NonbondedForce.PME),
    "ljpme": lambda: nonbonded(mm.NonbondedForce.LJPME),
    "bonds": bonds,
    "custom": custom,
    "implicit-solvent": implicit_solvent,
}


def forces(name, platform):
    system = mm.System()
    system.setDefaultPeriodicBoxVectors(mm.Vec3(LENGTH, 0, 0), mm.Vec3(0, LENGTH, 0), mm.Vec3(0, 0, LENGTH))
    for _ in range(COUNT):
        system.addParticle(12.0)
    for force in SYSTEMS[name]():
        system.addForce(force)
    context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName(platform))
    context.setPositions(positions())
    return context.getState(getForces=True).getForces(asNumpy=True).value_in_unit(FORCE)


def main():
    for name in SYSTEMS:
        want = forces(name, "Reference")
        difference = np.abs(forces(name, "OpenCL") - want).max() / np.abs(want).max()
        print("passed" if difference < MOST_DIFFERENCE else "wrong", name, f"{difference:.2e}", flush=True)


if __name__ == "__main__":
    main()

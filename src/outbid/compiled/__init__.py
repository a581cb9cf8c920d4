"""The compiled backend: rules through Numba, loops over many matches, vectors of matches, nets and game trees."""
